import type { ComponentChildren } from 'preact';

interface PageHeadProps {
  title: string;
  /** Describes the section in a sentence or two. */
  about?: string;
  /** The main action of the section. */
  children?: ComponentChildren;
}

/** The header of a settings section. */
export function PageHead({ title, about, children }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {about !== undefined && <p>{about}</p>}
      </div>
      {children}
    </div>
  );
}
