import { escapeHtml } from '@knowledge/runtime';
import { staff } from './staff.js';

/** The page on which somebody chooses who to be. Each button sends a form to the path of the sign-in. */
export function choicePage(path: string): string {
  const buttons = staff.map(
    ({ id, name, groups }) => `<form method="post" action="${escapeHtml(path)}/${escapeHtml(id)}">
<button>${escapeHtml(name)}</button> <span>${escapeHtml(groups.join(', ') || 'in no group')}</span></form>`,
  );
  return page('Who are you today?', `<p>${warning}</p>${buttons.join('\n')}`);
}

/** The page that asks whether to sign out. The form is the provider's own. */
export function signOutPage(form: string): string {
  const button = '<button type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button>';
  return page('Sign out of the OpenID provider?', `<p>${warning}</p>${form}${button}`);
}

export function messagePage(title: string, text: string): string {
  return page(title, `<p>${escapeHtml(text)}</p><p>${warning}</p>`);
}

const warning =
  'This provider is for trying only: nobody here is real, and everybody who reaches it may be any of them.';

/** The style of all pages. The pages need no script. */
const style = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 0 auto; padding: 2rem 1rem; }
form { margin: .5rem 0; } button { font: inherit; min-width: 14rem; padding: .5rem; }`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`;
}
