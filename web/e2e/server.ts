/** Serves the built page under some path, as any static server would: after gzip. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export const BUILT = fileURLToPath(new URL('../../target/web', import.meta.url));
const PREFIX = '/some/path/';

const TYPES: Record<string, string> = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.json': 'application/json',
};

/** A running server and the address of the page. */
export interface Served {
  address: string;
  server: Server;
}

export function serve(folder = BUILT): Promise<Served> {
  const compressed = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const name = path === PREFIX ? 'index.html' : path.startsWith(PREFIX) ? path.slice(PREFIX.length) : '';
    const file = join(folder, normalize(`/${decodeURIComponent(name)}`));
    if (name === '' || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    // A file may change while it is served: another version of the page is.
    const version = `${file} ${statSync(file).mtimeMs}`;
    const body = compressed.get(version) ?? gzipSync(readFileSync(file), { level: 9 });
    compressed.set(version, body);
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-encoding': 'gzip' });
    response.end(body);
  });
  return new Promise((listening) => {
    server.listen(0, '127.0.0.1', () => {
      const place = server.address();
      if (place === null || typeof place === 'string') throw new Error('the server has no port');
      listening({ server, address: `http://127.0.0.1:${place.port}${PREFIX}` });
    });
  });
}
