// Reaches links by keyboard. Takes path, and links, their addresses.
export default async (kit) => {
  await kit.visit(kit.args.path);
  for (const address of kit.args.links) {
    await kit.reach(kit.page.locator(`a[href="${address}"]`));
  }
};
