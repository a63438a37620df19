import type { ComponentChildren } from 'preact';

interface PageHeadProps {
  title: string;
  /** What it is for, in a sentence or two. */
  about?: string;
  /** What one mostly comes here to do. */
  children?: ComponentChildren;
}

/** The head of a section of the settings. */
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
