// Takes screenshots of a state of the console, and creates the data that the state needs, such as
// an event. Takes folder, group, the name of a list of states, state, the name of one of them,
// name, the name of the screenshots, and the arguments of the states.
import assert from "node:assert/strict";
import { Hand } from "../lib/console.mjs";
import { followTheme } from "../lib/look.mjs";
import { groups } from "../lib/state-groups.mjs";

export default async (kit) => {
  kit.allow(/status of (401|403|404|409|412|413|415|422|429|503)/); // pages of errors are shown, too
  const { folder, group, name, state } = kit.args;
  const states = await groups[group](kit.args, kit);
  const found = states.find((one) => one.name === state);
  assert.ok(found, `there is no state ${state} of ${group}`);
  await kit.photograph(folder, name, found.path, async (page) => {
    await found.reach?.(new Hand(kit, { page }));
    await followTheme(page);
  });
};
