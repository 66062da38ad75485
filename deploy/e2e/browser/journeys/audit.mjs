// Looks at paths with axe, in every look. Takes paths.
export default async (kit) => {
  for (const path of kit.args.paths) {
    await kit.audit(path);
  }
};
