<?php

namespace NetBox;

use Ratchet\ConnectionInterface;
use Ratchet\MessageComponentInterface;
use SplObjectStorage;

class DiagnosticsSocket implements MessageComponentInterface
{
    private SplObjectStorage $clients;

    public function __construct()
    {
        $this->clients = new SplObjectStorage();
    }

    public function onOpen(ConnectionInterface $conn): void
    {
        $this->clients->attach($conn);
    }

    public function onMessage(ConnectionInterface $from, $msg): void
    {
        $data = json_decode($msg, true) ?? [];
        $handlers = [
            'ping' => [$this, 'ping'],
            'trace' => [$this, 'trace'],
            'whois' => fn (array $d) => $this->whois((string) ($d['domain'] ?? '')),
            'bundle' => fn (array $d) => $this->bundle((array) ($d['files'] ?? [])),
        ];
        $handler = $handlers[$data['op'] ?? ''] ?? fn () => 'unknown operation';
        $from->send(json_encode(['result' => $handler($data)]));
    }

    public function ping(array $data): string
    {
        $ip = filter_var($data['host'] ?? '', FILTER_VALIDATE_IP);
        if ($ip === false) {
            return 'invalid address';
        }
        return (string) shell_exec("ping -c 3 -W 2 $ip");
    }

    public function trace(array $data): string
    {
        $host = $data['host'] ?? 'localhost';
        if (!preg_match('/^[a-z0-9][a-z0-9.-]*/i', $host)) {
            return 'invalid host';
        }
        return (string) shell_exec('traceroute -m 12 ' . $host . ' 2>&1');
    }

    private function whois(string $domain): string
    {
        $process = proc_open(['whois', '--', $domain], [1 => ['pipe', 'w']], $pipes);
        $output = stream_get_contents($pipes[1]);
        proc_close($process);
        return $output;
    }

    private function bundle(array $files): string
    {
        $list = implode(' ', array_map('escapeshellarg', $files));
        exec("cd /var/log/netbox && tar -czf /tmp/netbox-logs.tgz $list", $lines, $code);
        return $code === 0 ? '/tmp/netbox-logs.tgz' : 'failed';
    }

    public function onClose(ConnectionInterface $conn): void
    {
        $this->clients->detach($conn);
    }

    public function onError(ConnectionInterface $conn, \Exception $e): void
    {
        $conn->close();
    }
}
