import { version } from '../apps/api/package.json';

/**
 * Returns the version of a build (semver.org): that of the packages, with the commit as build metadata unless the commit
 * has the tag of the version. Without git or outside a repository, only the version is known.
 */
export function buildVersion(root: string): string {
  if (!Bun.which('git')) return version;
  const git = (...argv: string[]) => Bun.spawnSync(['git', '-C', root, ...argv], { stderr: 'ignore' });
  const described = git('describe', '--always', '--dirty', '--exclude', '*');
  if (!described.success) return version;
  const commit = described.stdout.toString().trim();
  const isTagged = git('tag', '--points-at', 'HEAD').stdout.toString().split('\n').includes(`v${version}`);
  return isTagged && !commit.endsWith('-dirty') ? version : `${version}+${commit.replace('-', '.')}`;
}

/**
 * Returns the version of a package for npm. A registry ignores build metadata, so a commit without the tag of the version
 * gives a pre-release: `1.0.0-dev.gb0c3f6c2`. The `g` keeps digits from being read as a number.
 */
export function packageVersion(buildVersion: string): string {
  return buildVersion.replace('+', '-dev.g');
}
