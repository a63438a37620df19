import type { ComponentChildren } from 'preact';

interface FactProps {
  name: string;
  value: ComponentChildren;
  /** A class of the value. */
  look?: string;
}

/** An entry of `<dl class="facts">`. */
export function Fact({ name, value, look }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={look}>{value}</dd>
    </>
  );
}
