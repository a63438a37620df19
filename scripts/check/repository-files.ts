/** Folders whose files are not ours, or are made. */
const NOT_OURS = /(^|\/)(node_modules|dist|\.git)\/|^data\//;

/** The paths of all files of the repository, from its root, in order. */
export function repositoryFiles(root: string): string[] {
  const found = new Bun.Glob('**/*').scanSync({ cwd: root, dot: true, onlyFiles: true });
  return [...found].filter((path) => !NOT_OURS.test(path)).sort();
}
