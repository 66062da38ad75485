// Logs people in, and returns the state of their browsers, with which further journeys begin. Takes
// people, by name.
import { Hand } from "../lib/console.mjs";

export default async (kit) => {
  const states = {};
  for (const [name, person] of Object.entries(kit.args.people)) {
    const { context, page } = await kit.open();
    await new Hand(kit, { page }).enter(person);
    states[name] = await context.storageState();
  }
  return states;
};
