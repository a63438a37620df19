import type { ComponentChildren } from 'preact';

interface FactProps {
  name: string;
  value: ComponentChildren;
  /** A class of the value. */
  variant?: string;
}

/** An entry of `<dl class="facts">`. */
export function Fact({ name, value, variant }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={variant}>{value}</dd>
    </>
  );
}
