/** Folders with third-party or generated files. */
const NOT_OURS = /(^|\/)(node_modules|dist|\.git)\/|^data\//;

/** Returns the sorted paths of all files in the repository, relative to its root. */
export function repositoryFiles(root: string): string[] {
  const found = new Bun.Glob('**/*').scanSync({ cwd: root, dot: true, onlyFiles: true });
  return [...found].filter((path) => !NOT_OURS.test(path)).sort();
}
