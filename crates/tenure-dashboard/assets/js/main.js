// @ts-check
// Puts the page together. Each view takes care of itself; the stream comes last, when everybody listens.

import { startFrame } from "./frame.js";
import { startHealth } from "./health.js";
import { startLegend } from "./legend.js";
import { startLog } from "./log.js";
import { startMap } from "./map.js";
import { startMembers } from "./members.js";
import { startStory } from "./story.js";
import { follow } from "./stream.js";
import { startTimeline } from "./timeline.js";
import { takeToken } from "./token.js";
import { startWhatIf } from "./whatif.js";

takeToken();
startLog();
startStory();
startMap();
startLegend();
startMembers();
startTimeline();
startHealth();
startWhatIf();
startFrame();
follow();
