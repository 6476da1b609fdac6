// The track as a small map: the owners, by shape as well as by colour, and where the player stands.

import { draw, fill, make, shape, the } from "./dom.js";
import { say } from "./words.js";

const CELL = 10; // the width of a space, in the drawing's own measure

export function map(view) {
  const facts = view.track && view.you >= 0 ? [view.track, view.you, view.hand?.at, view.players] : null;
  fill(the("map"), facts, () => [
    make("h2", {}, say("Map")),
    make("p", {}, say("You: {place}", { place: view.hand.at })),
    picture(view),
  ]);
}

function picture(view) {
  const spaces = ring(view.track.length);
  const side = Math.max(...spaces.map(([x, y]) => Math.max(x, y))) + 1;
  const words = view.players.flatMap((player) =>
    player.deeds.length
      ? // To translators: the map in words, for a reader of the screen.
        [say("{name} owns: {what}", { name: player.name, what: player.deeds.map((d) => d.name).join(", ") })]
      : [],
  );
  const svg = draw("svg", {
    viewBox: `-1 -1 ${side * CELL + 2} ${side * CELL + 2}`,
    class: "map",
    role: "img",
    "aria-label": [say("You: {place}", { place: view.hand.at }), ...words].join(". "),
  });
  view.track.forEach(([colour, owner], place) => {
    const [x, y] = spaces[place].map((at) => at * CELL);
    svg.append(draw("rect", { x: x + 0.3, y: y + 0.3, width: CELL - 0.6, height: CELL - 0.6, rx: 1, class: "space" }));
    if (colour) svg.append(draw("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: 2.2, fill: colour }));
    if (owner >= 0) svg.append(mark(view.players[owner], x + CELL / 2, y + 6.2, 2.6));
  });
  const [x, y] = spaces[view.players[view.you].place].map((at) => at * CELL);
  svg.append(draw("rect", { x, y, width: CELL, height: CELL, rx: 1.5, class: "here" }));
  svg.append(...legend(view, side));
  return svg;
}

/** Whose each shape is, in the middle of the track. @param {number} side */
function legend(view, side) {
  return view.players.flatMap((player, place) => {
    const [x, y] = [CELL * 2, CELL * (side / 2 + 0.2) + (place - (view.players.length - 1) / 2) * 9.5];
    const words = draw("text", { x: x + 6, y: y + 1.9, class: player.alive ? "" : "void" });
    words.textContent = player.name;
    return [mark(player, x, y, 3.2), words];
  });
}

/** @param {number} x @param {number} y @param {number} size */
function mark(player, x, y, size) {
  const look = { d: shape(player), fill: player.colour, transform: `translate(${x} ${y}) scale(${size})`, class: "mark" };
  return draw("path", look);
}

/** The spaces in columns and rows, as they lie on the table: up the left side first. @param {number} count @returns {number[][]} */
function ring(count) {
  const side = Math.ceil(count / 4);
  return Array.from({ length: count }, (_, place) => {
    const at = place % side;
    return [[0, side - at], [at, 0], [side, at], [side - at, side]][Math.floor(place / side)];
  });
}
