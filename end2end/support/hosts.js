// The example hosts, each started as its README says, with a service that has the shop's project.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './service.js';

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? at('target');

/** How each is started. */
export const HOSTS = {
  node: { command: process.execPath, args: ['server.js'], cwd: at('examples/hosts/node') },
  python: {
    command: process.env.INLAY_PYTHON,
    args: ['server.py'],
    cwd: at('examples/hosts/python'),
    environment: { PYTHONPATH: at('sdk/python') },
  },
  rust: { command: join(target, 'debug/inlay-example-host'), args: [], cwd: at('examples/hosts/rust') },
};

/** Applies the shop's project with the origins of the hosts, in the service's folder. */
export async function applyShop(service, origins) {
  const text = await readFile(at('examples/hosts/shop/project.yaml'), 'utf8');
  await copyFile(at('examples/hosts/shop/shop.sqlite'), join(service.folder, 'shop.sqlite'));
  const file = join(service.folder, 'shop.yaml');
  await writeFile(file, text.replace('["http://localhost:4000"]', JSON.stringify(origins)));
  return service.command('apply', file, '--organization', service.organizationId);
}

/** Ports for the hosts. The project needs them before the hosts start. */
export async function origins(count) {
  const ports = [];
  while (ports.length < count) ports.push(await freePort());
  return ports.map((port) => `http://localhost:${port}`);
}

/** Starts a host and waits until it prints its URL. */
export async function start(name, origin, service, project) {
  const { command, args, cwd, environment } = HOSTS[name];
  const host = spawn(command, args, {
    cwd,
    env: {
      ...process.env,
      ...environment,
      INLAY_URL: service.url,
      INLAY_API_KEY: service.apiKey,
      INLAY_PROJECT_ID: project.projectId,
      INLAY_APPLICATION_ID: project.applications.Figures.id,
      PORT: new URL(origin).port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  host.stderr.on('data', (text) => {
    log += text;
  });
  const told = await Promise.race([once(host.stdout, 'data'), once(host, 'exit')]);
  if (String(told[0]).trim() !== origin) throw new Error(`the host in ${name} did not start: ${told[0]} ${log}`);
  return {
    get log() {
      return log;
    },
    async stop() {
      if (host.exitCode !== null || host.signalCode !== null) return;
      host.kill('SIGTERM');
      await once(host, 'exit');
    },
  };
}
