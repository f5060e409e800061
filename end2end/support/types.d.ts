import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  Response,
  TestType,
} from '@playwright/test';
import type { Dashboard } from './dashboard.js';
import type { Host } from './host.js';
import type { Service } from './service.js';

/** Who opens a page, and how: a user of a company, parameters of the address, another application than the first. */
interface Opening {
  user?: string;
  role?: string;
  properties?: Record<string, unknown>;
  parameters?: Record<string, string | undefined>;
  application?: string;
}

/** What every test may ask for. */
export interface Fixtures {
  allowedErrors: RegExp[];
  host: Host;
  service: Service;
  errors: string[];
  open(company: string, opening?: Opening): Promise<Dashboard & { response: Response | null }>;
}

/** A `test` with the fixtures of every test and more; inference cannot read them from what `extend` is given. */
export type TestWith<More = object> = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PlaywrightWorkerArgs & PlaywrightWorkerOptions & Omit<Fixtures, keyof More> & More,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>;
