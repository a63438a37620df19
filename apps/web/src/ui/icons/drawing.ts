import { type FunctionComponent, h } from 'preact';

interface IconProps {
  /** 18, 15 or 13 px. Default: 15. */
  size?: 'm' | 's' | 'xs';
}

const CLASSES = { m: 'i', s: 'i i-s', xs: 'i i-xs' } as const;

/** Returns an icon made of these shapes, hidden from assistive technology: what contains it has a name. */
export function drawing(shapes: readonly (readonly [string, Record<string, string>])[]): FunctionComponent<IconProps> {
  return ({ size = 's' }) =>
    h(
      'svg',
      { class: CLASSES[size], viewBox: '0 0 24 24', 'aria-hidden': 'true' },
      shapes.map(([element, attributes]) => h(element, attributes)),
    );
}
