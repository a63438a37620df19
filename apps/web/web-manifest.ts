import { join, parse } from 'node:path';

const FILES = ['icon.svg', 'icon-192.png', 'icon-512.png', 'maskable-512.png', 'touch-180.png', 'badge-96.png'];

/** Returns the icons of the app, in the tab and installed, with a content hash in their file names. */
export async function appIcons(folder: string): Promise<Map<string, { name: string; file: string }>> {
  const icons = FILES.map(async (image): Promise<[string, { name: string; file: string }]> => {
    const file = join(folder, image);
    const { name, ext } = parse(image);
    const hash = Bun.hash(await Bun.file(file).bytes())
      .toString(36)
      .padStart(8, '0')
      .slice(0, 8);
    return [name, { name: `${name}-${hash}${ext}`, file }];
  });
  return new Map(await Promise.all(icons));
}

/**
 * Returns the manifest for installing the app (W3C Web Application Manifest). `addressOf` returns the URL of an icon.
 */
export function webManifest(addressOf: (icon: string) => string): object {
  const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
    src: addressOf(name),
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return {
    id: '/',
    name: 'Hub',
    short_name: 'Hub',
    description: 'Posts from your programs and your team, in one place.',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#f6f5f1',
    theme_color: '#f6f5f1',
    icons: [icon('icon-192', 192, 'any'), icon('icon-512', 512, 'any'), icon('maskable-512', 512, 'maskable')],
  };
}
