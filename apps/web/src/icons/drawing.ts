import { type FunctionComponent, h } from 'preact';

export interface IconProps {
  /** 18 px, 15 px or 13 px; 15 if left out. */
  size?: 'm' | 's' | 'xs';
}

const CLASSES = { m: 'i', s: 'i i-s', xs: 'i i-xs' } as const;

/** An icon made of these shapes. It is hidden from assistive technology: what it stands on has a name or a hidden label. */
export function drawing(shapes: readonly (readonly [string, Record<string, string>])[]): FunctionComponent<IconProps> {
  return ({ size = 's' }) =>
    h(
      'svg',
      { class: CLASSES[size], viewBox: '0 0 24 24', 'aria-hidden': 'true' },
      shapes.map(([element, attributes]) => h(element, attributes)),
    );
}
