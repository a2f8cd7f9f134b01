// The version of this library, as recordings and reports name it. A leaf; a test holds it against package.json.

/** As in package.json. */
export const VERSION = '0.1.0';
