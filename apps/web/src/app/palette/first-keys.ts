/** The keys that work from the first view on; the list of keys reads them too. With Ctrl or Cmd: the palette's. */
export const firstKeys = { palette: 'k', search: '/', help: '?' } as const;
