/** Returns the decoded path of a request target. */
export function pathOf(target: string): string {
  const [path = ''] = target.split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
