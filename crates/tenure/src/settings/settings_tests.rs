//! Every wrong setting is refused by its name, with what to do about it.

use std::time::Duration;

use super::{Settings, SettingsError};

fn sound() -> Settings {
    Settings { cluster: "orders".into(), shards: 16, ..Settings::default() }
}

/// What is said about `sound()` once `spoil` has been at it.
fn refusal(spoil: impl FnOnce(&mut Settings)) -> SettingsError {
    let mut settings = sound();
    spoil(&mut settings);
    settings.validate().unwrap_err()
}

#[test]
fn a_name_and_a_shard_count_are_enough() {
    sound().validate().unwrap();
}

#[test]
fn each_mistake_is_named_with_its_remedy() {
    let seconds = Duration::from_secs;
    let cases: Vec<(&str, SettingsError)> = vec![
        ("cluster", refusal(|s| s.cluster = String::new())),
        ("cluster", refusal(|s| s.cluster = "no spaces".into())),
        ("shards", refusal(|s| s.shards = 0)),
        ("shards", refusal(|s| s.shards = u32::MAX)),
        ("member_id", refusal(|s| s.member_id = Some("a/b".into()))),
        ("member_id", refusal(|s| s.member_id = Some("näme".into()))),
        ("address", refusal(|s| s.address = Some(String::new()))),
        ("address", refusal(|s| s.address = Some("x".repeat(513)))),
        ("address", refusal(|s| s.address = Some("10.1.2.3:80\n".into()))),
        ("address", refusal(|s| s.address = Some("a b".into()))),
        ("address", refusal(|s| s.address = Some("a\u{202e}b".into()))),
        ("weight", refusal(|s| s.weight = 0)),
        ("ledger_page_size", refusal(|s| s.ledger_page_size = 0)),
        ("ledger_page_size", refusal(|s| (s.shards, s.ledger_page_size) = (1 << 20, 15))),
        ("shard_move_budget", refusal(|s| s.shard_move_budget = Some(0))),
        ("lease_ttl", refusal(|s| s.lease_ttl = Duration::from_millis(499))),
        ("lease_detach_margin", refusal(|s| s.lease_detach_margin = Some(seconds(10)))),
        ("lease_detach_margin", refusal(|s| s.lease_detach_margin = Some(seconds(11)))),
        ("lease_renew_interval", refusal(|s| s.lease_renew_interval = Some(seconds(9)))),
        ("lease_ttl_max", refusal(|s| s.lease_ttl_max = Some(seconds(9)))),
        ("clock_drift", refusal(|s| s.clock_drift = f64::NAN)),
        ("poll_interval", refusal(|s| s.poll_interval = Some(seconds(9)))),
        ("acquire_retry_interval", refusal(|s| s.acquire_retry_interval = Some(Duration::ZERO))),
        ("abort_limit", refusal(|s| s.abort_limit = Some(seconds(5)))),
        ("abort_limit", refusal(|s| s.abort_limit = Some(Duration::ZERO))),
        ("restart_backoff", refusal(|s| s.restart_backoff = Duration::ZERO)),
    ];
    for (setting, error) in cases {
        assert_eq!(error.setting, setting, "{error}");
        assert!(!error.fix.is_empty() && error.to_string().contains(setting), "{error}");
    }
}

#[test]
fn durations_are_written_for_people() {
    let text = r#"{"cluster":"orders","shards":4,"lease_ttl":"15s","lease_detach_margin":"4s 500ms","on_stuck":"wait"}"#;
    let settings: Settings = serde_json::from_str(text).unwrap();
    assert_eq!(settings.lease_ttl, Duration::from_secs(15));
    assert_eq!(settings.lease_detach_margin, Some(Duration::from_millis(4500)));
    assert_eq!(settings.lease_slack, None);
    settings.validate().unwrap();
}

#[test]
fn a_misspelt_setting_is_refused_by_name() {
    let error = serde_json::from_str::<Settings>(r#"{"lease_tll":"15s"}"#).unwrap_err();
    assert!(error.to_string().contains("lease_tll"), "{error}");
}

#[test]
fn settings_survive_being_written_and_read() {
    let settings = Settings { drain_limit: Duration::from_secs(90), zone: Some("a".into()), ..sound() };
    let text = serde_json::to_string(&settings).unwrap();
    assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
}
