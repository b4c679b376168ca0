/** The content security policy of the built page: only its own files, the script in it, and WebAssembly; styles of the editor go by their nonce, and elements of the prerendered page have styles of their own. */
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

const policyWith = (scripts: string[]): string => [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' ${scripts.join(' ')}`,
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'nonce-editor'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function policy(): Plugin {
  return {
    name: 'policy',
    apply: 'build',
    transformIndexHtml: (html) => [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policyWith(hashes(html)) }, injectTo: 'head-prepend' }],
  };
}

/** Each script that stands in the page, as a policy names it. */
function hashes(html: string): string[] {
  return Array.from(html.matchAll(/<script>(.*?)<\/script>/gs), ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}
