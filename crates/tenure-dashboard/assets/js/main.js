// @ts-check
// Puts the page together. Each view takes care of itself; the stream comes last, when everybody listens.

import { follow } from "./data/stream.js";
import { takeToken } from "./data/token.js";
import { startFrame } from "./ui/frame.js";
import { startHealth } from "./views/health.js";
import { startLately } from "./views/lately.js";
import { startLegend } from "./views/legend.js";
import { startMap } from "./views/map.js";
import { startMembers } from "./views/members.js";
import { startStory } from "./views/story.js";
import { startTimeline } from "./views/timeline.js";
import { startWhatIf } from "./views/whatif.js";

takeToken();
startLately();
startStory();
startMap();
startLegend();
startMembers();
startTimeline();
startHealth();
startWhatIf();
startFrame();
follow();
