// Reaches elements one after the other by keyboard, and follows the last, a link. Takes path and
// stops, each with role and name.
export default async (kit) => {
  await kit.visit(kit.args.path);
  for (const { role, name } of kit.args.stops) {
    await kit.reach(kit.page.getByRole(role, { name }));
  }
  await Promise.all([kit.page.waitForEvent("framenavigated"), kit.page.keyboard.press("Enter")]);
  await kit.page.waitForLoadState();
  return new URL(kit.page.url()).pathname;
};
