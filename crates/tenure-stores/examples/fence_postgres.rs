//! A sink in PostgreSQL that refuses owners of the past, and a write of one that arrives late:
//! `cargo run -p tenure-stores --features postgres --example fence_postgres -- postgres://USER@HOST/DATABASE`

use tenure::store::Memory;
use tenure::{BoxError, Event, Fence, Member};
use tokio_postgres::{Client, Error, NoTls};

const TABLES: &str = "
    CREATE TABLE fences (shard bigint PRIMARY KEY, epoch bigint NOT NULL);
    CREATE TABLE shipped (parcel text NOT NULL, shard bigint NOT NULL, epoch bigint NOT NULL);";

/// Raises the shard's fence to this owner's epoch, unless a later owner has raised it further.
const RAISE: &str = "
    INSERT INTO fences VALUES ($1, $2)
    ON CONFLICT (shard) DO UPDATE SET epoch = excluded.epoch WHERE fences.epoch <= excluded.epoch";

/// Fence and write are one transaction; false if a later owner was here.
async fn ship(sink: &mut Client, fence: Fence, parcel: &str) -> Result<bool, Error> {
    let (shard, epoch) = (i64::from(fence.shard.0), fence.epoch.0 as i64);
    let transaction = sink.transaction().await?;
    if transaction.execute(RAISE, &[&shard, &epoch]).await? == 0 {
        return Ok(false);
    }
    transaction.execute("INSERT INTO shipped VALUES ($1, $2, $3)", &[&parcel, &shard, &epoch]).await?;
    transaction.commit().await?;
    Ok(true)
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let address = std::env::args().nth(1).ok_or("say the address of a PostgreSQL")?;
    let schema = format!("fence_example_{}", std::process::id());
    let (mut old, mut new) = (connect(&address, &schema).await?, connect(&address, &schema).await?);
    new.batch_execute(&format!("CREATE SCHEMA {schema}; {TABLES}")).await?;
    let shown = show(&mut old, &mut new).await;
    new.batch_execute(&format!("DROP SCHEMA {schema} CASCADE")).await?;
    shown
}

/// Ada's last write is late: ben owns the shard when it arrives.
async fn show(old: &mut Client, new: &mut Client) -> Result<(), BoxError> {
    let told = |shipped| if shipped { "shipped" } else { "refused, a later owner was here" };
    let store = Memory::new();
    let ada = join(&store, "ada").await?;
    let first = gained(&ada).await?;
    println!("a lamp, by owner {first}: {}", told(ship(old, first, "a lamp").await?));

    let ben = join(&store, "ben").await?;
    ada.leave().await?;
    let second = gained(&ben).await?;
    println!("a chair, by owner {second}: {}", told(ship(new, second, "a chair").await?));
    println!("a bed, by owner {first}: {}", told(ship(old, first, "a bed").await?));
    println!("a table, by owner {second}: {}", told(ship(new, second, "a table").await?));

    let all = "SELECT string_agg(parcel, ', ' ORDER BY epoch, parcel) FROM shipped";
    assert_eq!(new.query_one(all, &[]).await?.get::<_, &str>(0), "a lamp, a chair, a table");
    Ok(ben.leave().await?)
}

async fn join(store: &Memory, name: &str) -> Result<Member, tenure::Error> {
    Member::builder(store.clone()).cluster("parcels").shards(1).member_id(name).start().await
}

/// The number of the shard and of its owner, once `member` is that.
async fn gained(member: &Member) -> Result<Fence, BoxError> {
    let mut events = member.events().await?;
    while let Some(event) = events.next().await {
        if let Event::Gained(shard) = event {
            return Ok(shard.fence());
        }
    }
    Err("the member has ended".into())
}

async fn connect(address: &str, schema: &str) -> Result<Client, BoxError> {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await?;
    tokio::spawn(connection);
    client.batch_execute(&format!("SET search_path TO {schema}")).await?;
    Ok(client)
}
