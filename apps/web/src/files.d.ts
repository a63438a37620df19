declare module '*.css';

declare module 'icons' {
  import type { FunctionComponent } from 'preact';

  /** `size`: 18, 15 or 13 px. Default: 15. */
  const icons: {
    readonly [Name in keyof typeof import('lucide-static')]: FunctionComponent<{ size?: 'm' | 's' | 'xs' }>;
  };
  export = icons;
}

declare module 'emoji:en' {
  const groups: readonly { name: string; lines: string }[];
  export default groups;
}
