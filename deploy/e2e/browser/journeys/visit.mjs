// Opens a path. Takes path.
export default async (kit) => {
  const answer = await kit.visit(kit.args.path);
  return { status: answer.status(), title: await kit.page.title() };
};
