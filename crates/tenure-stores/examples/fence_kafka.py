"""A sink in Kafka that refuses owners of the past: one transactional.id for each shard, and the epoch beside it.

`python3 fence_kafka.py HOST:PORT` shows it on a broker of yours; it needs `pip install confluent-kafka`.
"""

import os
import sys

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

# Named after this process, so that it can be run again; yours would be "parcels" and "claims".
PARCELS, CLAIMS = f"parcels-{os.getpid()}", f"claims-{os.getpid()}"


def own(broker, shard, epoch):
    """A producer that no earlier owner can write after; None if a later owner was here."""
    producer = Producer({"bootstrap.servers": broker, "transactional.id": f"{PARCELS}-{shard}"})
    producer.init_transactions()  # from here on Kafka refuses whoever had this id before
    if claimed(broker, shard) > epoch:
        return None  # it was us who came late: the later owner starts anew
    return producer if write(producer, CLAIMS, shard, str(epoch)) else None


def write(producer, topic, shard, text):
    """One transaction; False if somebody has taken the id over."""
    try:
        producer.begin_transaction()
        producer.produce(topic, text.encode(), partition=shard)
        producer.commit_transaction()
        return True
    except KafkaException as problem:
        if problem.args[0].code() in (KafkaError._FENCED, KafkaError.PRODUCER_FENCED):
            return False
        raise


def claimed(broker, shard):
    """The greatest epoch that was ever claimed for the shard."""
    return max((int(text) for text in read(broker, CLAIMS, shard)), default=0)


def read(broker, topic, shard):
    """All that was committed, to the end of the partition."""
    consumer = Consumer({
        "bootstrap.servers": broker, "group.id": f"{topic}-reader", "isolation.level": "read_committed",
        "enable.partition.eof": True, "enable.auto.commit": False,
    })
    consumer.assign([TopicPartition(topic, shard, 0)])
    texts = []
    while True:
        message = consumer.poll(10)
        if message is None:
            raise TimeoutError(f"{broker} does not answer")
        if message.error() and message.error().code() == KafkaError._PARTITION_EOF:
            consumer.close()
            return texts
        texts.append(message.value().decode())


def tell(parcel, epoch, shipped):
    print(f"{parcel}, by owner 0@{epoch}: {'shipped' if shipped else 'refused'}")


def main(broker):
    topics = [NewTopic(name, num_partitions=1, replication_factor=1) for name in (PARCELS, CLAIMS)]
    admin = AdminClient({"bootstrap.servers": broker})
    for made in admin.create_topics(topics).values():
        made.result()
    first = own(broker, 0, epoch=1)
    tell("a lamp", 1, write(first, PARCELS, 0, "a lamp"))
    second = own(broker, 0, epoch=2)
    tell("a chair", 2, write(second, PARCELS, 0, "a chair"))
    tell("a bed", 1, write(first, PARCELS, 0, "a bed"))
    tell("a bed, by a new producer", 1, own(broker, 0, epoch=1) is not None)
    tell("a table", 2, write(second, PARCELS, 0, "a table"))
    second = own(broker, 0, epoch=2)  # the owner that holds its shard still begins anew
    tell("a table, by a new producer", 2, write(second, PARCELS, 0, "a table"))
    assert read(broker, PARCELS, 0) == ["a lamp", "a chair", "a table"], read(broker, PARCELS, 0)


if __name__ == "__main__":
    main(sys.argv[1])
