//! What is written is read back the same, whatever it is.

use proptest::prelude::*;

use super::samples::{TTL_MAX, any_member, any_meta, any_page, id};
use super::{Key, LedgerPage, MemberRecord, Meta};

proptest! {
    #[test]
    fn meta_comes_back_as_it_was(meta in any_meta()) {
        prop_assert_eq!(Meta::decode(&meta.encode()).unwrap(), meta);
    }

    #[test]
    fn a_member_record_comes_back_as_it_was(record in any_member()) {
        prop_assert_eq!(MemberRecord::decode(&id("a"), &record.encode(), TTL_MAX).unwrap(), record);
    }

    #[test]
    fn a_page_comes_back_as_it_was((meta, page) in any_page()) {
        prop_assert_eq!(LedgerPage::decode(0, &page.encode(), &meta).unwrap(), page);
    }

    #[test]
    fn a_page_is_spelled_in_one_way((meta, page) in any_page()) {
        let bytes = page.encode();
        prop_assert_eq!(LedgerPage::decode(0, &bytes, &meta).unwrap().encode(), bytes);
    }

    #[test]
    fn keys_come_back_as_they_were(name in "[a-zA-Z0-9][a-zA-Z0-9._-]{0,62}", number in any::<u32>()) {
        for key in [Key::Meta, Key::Member(id(&name)), Key::Page(number)] {
            prop_assert_eq!(Key::parse(&key.to_string()), Some(key));
        }
    }

    #[test]
    fn no_text_is_two_keys(text in "(meta|members/|ledger/)\\PC{0,12}") {
        if let Some(key) = Key::parse(&text) {
            prop_assert_eq!(key.to_string(), text);
        }
    }
}
