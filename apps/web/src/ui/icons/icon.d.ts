declare module 'icon:*' {
  import type { FunctionComponent } from 'preact';
  import type { IconProps } from './drawing.ts';

  const Icon: FunctionComponent<IconProps>;
  export default Icon;
}
