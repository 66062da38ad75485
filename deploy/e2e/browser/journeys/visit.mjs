// Opens a path, and waits until nothing more is loaded. Takes path.
export default async (kit) => {
  const answer = await kit.visit(kit.args.path);
  await kit.page.waitForLoadState("networkidle");
  return { status: answer.status(), title: await kit.page.title() };
};
