import { Gauge, type Registry } from "prom-client";

/** What a server has stored, in bytes. */
export type StoredBytes = Readonly<Record<string, number>>;

/** Is told what was measured of the disk; a request for metrics measures nothing. */
export interface DiskMetrics {
  stored(parts: StoredBytes): void;
  volume(folder: string, bytes: { free: number; size: number }): void;
}

export function createDiskMetrics(registry: Registry): DiskMetrics {
  const registers = [registry];
  const stored = new Gauge({
    name: "millrace_data_folder_bytes",
    help: "Disk space that the data of the server uses, by part; measured every ten minutes",
    labelNames: ["part"],
    registers,
  });
  const free = new Gauge({
    name: "millrace_disk_free_bytes",
    help: "Free space on the volumes of the data folder; measured every minute",
    labelNames: ["volume"],
    registers,
  });
  const size = new Gauge({
    name: "millrace_disk_size_bytes",
    help: "Size of the volumes of the data folder",
    labelNames: ["volume"],
    registers,
  });
  return {
    stored(parts) {
      for (const [part, bytes] of Object.entries(parts)) stored.set({ part }, bytes);
    },
    volume(folder, bytes) {
      free.set({ volume: folder }, bytes.free);
      size.set({ volume: folder }, bytes.size);
    },
  };
}
