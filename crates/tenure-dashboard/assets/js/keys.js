// @ts-check
// The keys of a map, whatever it is drawn with: arrows walk, Enter and the space bar choose, Escape lets go.

const CHOOSE = new Set(["Enter", " "]);

/**
 * @param {{scene: import("./grid.js").Scene, arrangement: import("./arrangement.js").Arrangement, at: number,
 *   focus: (shard: number) => void}} map
 * @param {KeyboardEvent} event
 */
export function press(map, event) {
  if (map.scene.chosen && CHOOSE.has(event.key)) map.scene.chosen(map.at);
  else if (map.scene.chosen && event.key === "Escape") map.scene.chosen(null);
  else {
    const next = map.arrangement.walk(event.key, map.at);
    if (next === null) return;
    map.focus(next);
  }
  event.preventDefault();
}
