/** A browser without script, which keeps the cookies of each origin and follows redirects between them. */
export interface StaffBrowser {
  get(url: string): Promise<BrowserPage>;
  /** Sends a form without fields. */
  post(url: string): Promise<BrowserPage>;
}

export interface BrowserPage {
  readonly status: number;
  /** Where the browser is after all redirects. */
  readonly url: string;
  readonly html: string;
}

const mostRedirects = 10;

export function openStaffBrowser(): StaffBrowser {
  const cookies = new Map<string, Map<string, string>>();
  const go = async (method: 'GET' | 'POST', from: string): Promise<BrowserPage> => {
    let url = new URL(from);
    for (let hop = 0; hop < mostRedirects; hop += 1) {
      const own = cookies.get(url.origin) ?? new Map<string, string>();
      cookies.set(url.origin, own);
      const cookie = [...own].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, {
        method: hop === 0 ? method : 'GET',
        headers: { cookie },
        redirect: 'manual',
      });
      for (const each of response.headers.getSetCookie()) keep(own, each);
      const html = await response.text();
      const target = response.headers.get('location');
      if (target === null) return { status: response.status, url: url.href, html };
      url = new URL(target, url);
    }
    throw new Error(`${from} redirects more than ${mostRedirects} times.`);
  };
  return { get: (url) => go('GET', url), post: (url) => go('POST', url) };
}

function keep(cookies: Map<string, string>, header: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}
