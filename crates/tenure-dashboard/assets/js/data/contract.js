// @ts-check
// The JSON of the dashboard, as this page knows it. `docs/guide/dashboard.md` is the contract; nothing here runs.

/**
 * @typedef {object} Lease
 * @property {number} ttl_ms @property {number} renewed_ms @property {number} seq @property {boolean} open
 */
/** @typedef {{shard: number, failures: number, error: string, retry_at_ms: number | null}} Failing */
/** @typedef {{text: string, by: string, at_ms: number}} Note */
/** @typedef {{letter: string, colour: number, pattern: number}} Mark */
/**
 * @typedef {object} Member
 * @property {number} index @property {string} id @property {Mark} mark @property {string | null} incarnation
 * @property {string} state
 * @property {string | null} by @property {boolean} drained @property {number} weight @property {string | null} zone
 * @property {string | null} address @property {string} version @property {number} shards @property {number} heir_of @property {number | null} load
 * @property {number[]} stuck @property {Failing[]} failing @property {Lease} lease @property {Note | null} note @property {string} [process]
 */
/**
 * @typedef {object} Whereabouts
 * @property {number} shard @property {"owned" | "doubt" | "between" | "unowned" | "unreadable"} state @property {string | null} owner
 * @property {number} epoch @property {string | null} address @property {string | null} heir @property {number} seen_ago_ms
 */
/**
 * @typedef {object} Cells
 * @property {number} seq @property {number} at_ms @property {number[]} [shard] @property {number[]} owner
 * @property {number[]} heir @property {number[]} epoch @property {(number | null)[]} since_ms
 * @property {(number | null)[]} why @property {string[]} reasons
 */
/**
 * @typedef {object} Sight
 * @property {"starting" | "absent" | "seen" | "away" | "broken"} state @property {number} since_ms @property {number | null} seen_ms
 * @property {string | null} reason @property {string[]} problems
 */
/** @typedef {{act: boolean, playground: boolean}} Can */
/**
 * @typedef {object} Picture
 * @property {number} seq @property {number} at_ms @property {string} cluster @property {{kind: string, address: string}} store
 * @property {Sight} sight @property {number} shard_count @property {number} ttl_max_ms @property {string} placement
 * @property {boolean} spread_zones @property {Member[]} members @property {Cells} shards @property {string[]} problems
 * @property {Can} can @property {string} version
 */
/**
 * @typedef {object} Tenures
 * @property {number} seq @property {number} at_ms @property {number[]} shard @property {number[]} epoch
 * @property {number[]} owner @property {number[]} from_ms @property {(number | null)[]} to_ms
 * @property {(string | null)[]} end @property {(number | null)[]} gap_ms @property {(number | null)[]} gap_max_ms
 * @property {(number | null)[]} why @property {string[]} reasons
 */
/**
 * @typedef {object} Tenure
 * @property {number} shard @property {number} epoch @property {number} owner @property {number} from @property {number | null} to
 * @property {string | null} end @property {number | null} gap @property {number | null} gapMax @property {string | null} why
 */
/**
 * @typedef {object} Deed
 * @property {string} id @property {number} at_ms @property {string} who @property {string} by @property {string} deed
 * @property {string} [member] @property {string} [blow] @property {string} [what]
 * @property {number} [shard] @property {string} [to] @property {string} [text] @property {boolean} [let_return]
 * @property {string} why @property {string | null} refused
 */
/**
 * @typedef {object} Turn
 * @property {number} at_ms @property {string} member @property {string | null} from @property {string} to
 * @property {boolean} anew @property {string | null} by
 */
/** @typedef {{from_ms: number, to_ms: number | null}} Blind */
/** @typedef {{count: number, p50_ms: number | null, p99_ms: number | null, max_ms: number | null}} Gaps */
/** @typedef {{seen: Gaps, most: Gaps}} Bounds */
/** @typedef {{count: number, median_ms: number, longest_ms: number}} Times */
/**
 * @typedef {object} Health
 * @property {number} at_ms @property {number} step_ms @property {Record<string, any>} points
 * @property {{moves: Bounds, proof: Bounds, silence: Bounds}} gaps @property {number} unowned
 * @property {{index: number, renewals: number, left_ms: number | null, late: number}[]} members
 * @property {{tenures: number, overlaps: number, after_proof: Times, after_silence: Times, moves: Times} | null} measured
 */
export {};
