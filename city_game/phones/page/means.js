// A deal in figures: the goods of each side, and which groups are complete then, or are no more.

import { make } from "./dom.js";
import { say, show } from "./words.js";

/**
 * @param {any[]} players
 * @param {{ from: number, to: number, gives: number[], asks: number[] }} deal
 */
export function means(players, { from, to, gives, asks }) {
  const given = chosen(players[from], gives);
  const asked = chosen(players[to], asks);
  return [
    ...side(players[from], given),
    ...side(players[to], asked),
    ...effects(players[from], given, asked),
    ...effects(players[to], asked, given),
  ];
}

/** @param {number[]} ids @returns {any[]} */
function chosen(player, ids) {
  return player.deeds.filter((deed) => ids.includes(deed.id));
}

function side(player, deeds) {
  if (!deeds.length) return [];
  return [
    make("h4", {}, say("{name} gives:", { name: player.name })),
    ...deeds.map((deed) =>
      make(
        "p",
        { className: "owned", colour: deed.colour },
        make("b", {}, deed.name),
        make(
          "small",
          {},
          // To translators: of a district in a deal; "group" is the name of its colour.
          say("price {price}, rent {rent}; {group}, {of} in all", { ...deed, price: show(deed.price), rent: show(deed.rent) }),
        ),
      ),
    ),
  ];
}

/** The change in a player's groups. */
function effects(player, lost, won) {
  const groups = new Map([...lost, ...won].map((deed) => [deed.group, deed.of]));
  return [...groups].flatMap(([group, of]) => {
    const count = (deeds) => deeds.filter((deed) => deed.group === group).length;
    const before = count(player.deeds);
    const after = before - count(lost) + count(won);
    const words = { name: player.name, group };
    if (after === of && before < of)
      return [make("p", { className: "effect" }, say("{name} completes {group}: its rents can go up.", words))];
    if (before === of && after < of) return [make("p", { className: "effect" }, say("{name} has all of {group} no more.", words))];
    return [];
  });
}
