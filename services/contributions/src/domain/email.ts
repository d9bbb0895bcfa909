/** An e-mail as an identity: case folded, plus-tag kept (protocol section 6). */
export function foldEmail(email: string): string {
  return email.toLowerCase();
}
