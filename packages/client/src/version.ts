/** The version of this package, as in its package.json; a test keeps the two equal. */
export const VERSION = '1.0.0';
