# To be read by a shell at the root of the repository: `. deploy/test/urls.sh`. Gives the tests the servers of compose.yaml in place of their own.
export TENURE_TEST_ETCD_URL='etcd://127.0.0.1:23790,127.0.0.1:23791,127.0.0.1:23792/tenure'
export TENURE_TEST_POSTGRES_URL='postgres://postgres@127.0.0.1:25432/tenure'
export TENURE_TEST_S3_URL='s3://tenure/tenure?endpoint=http://127.0.0.1:25000&region=us-east-1&access_key_id=somebody&secret_access_key=hunter2&allow_http=true'
export TENURE_TEST_K8S_URL="k8s://default/tenure?kubeconfig=$PWD/target/compose/admin.kubeconfig"
