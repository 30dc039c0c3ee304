/**
 * False for a request that a page of another site makes, as browsers say it.
 * @param site the header Sec-Fetch-Site; undefined from programs and older browsers.
 */
export function isOwnPage(site: string | string[] | undefined): boolean {
  return site === undefined || site === 'same-origin' || site === 'none';
}
