// Brings pages of the console into the states in which people see them: with errors, a conflict, a
// report, nothing to show, an ended login. Each is looked at with axe; its errors are announced and
// tied to their fields, and the focus is not lost. Takes group, the name of a list of states, the
// arguments of these states, and brief for one look.
import assert from "node:assert/strict";
import { errorsAreTied, Hand } from "../lib/console.mjs";
import { lookAtState } from "../lib/look.mjs";
import { groups } from "../lib/state-groups.mjs";

export default async (kit) => {
  kit.allow(/status of (401|403|404|409|412|413|415|422|429|503)/); // what is tried
  const failures = [];
  for (const state of await groups[kit.args.group](kit.args, kit)) {
    const { context, page } = await kit.open();
    const hand = new Hand(kit, { page });
    await look(hand, state).catch((error) => failures.push(`${state.name}: ${error.message}`));
    await state.leave?.(hand);
    await context.close();
  }
  assert.equal(failures.join("\n"), "");
};

async function look(hand, state) {
  await hand.visit(state.path);
  await state.reach?.(hand);
  if (state.wrong) {
    await errorsAreTied(hand.page);
  }
  if (state.partial) {
    await hand.hasFocus();
  }
  await lookAtState(hand.kit, hand.page, state, hand.kit.args.brief);
}
