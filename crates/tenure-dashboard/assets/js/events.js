// @ts-check
// Server-sent events out of a body as it comes in: lines of `event:` and `data:`, each event ended by an empty line.

/** @typedef {{name: string, data: string}} Told */

/** @param {ReadableStream<Uint8Array>} body @returns {AsyncGenerator<Told>} */
export async function* events(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const told = event(block);
      if (told) yield told;
    }
  }
}

/** @param {string} block @returns {Told | null} what keeps the line alive says nothing */
function event(block) {
  const lines = block.split("\n");
  const said = (/** @type {string} */ field) =>
    lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
  const data = said("data").join("\n");
  return data ? { name: said("event")[0] ?? "message", data } : null;
}
