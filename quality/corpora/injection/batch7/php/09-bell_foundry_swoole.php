<?php

use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

abstract class Command
{
    public function __construct(protected array $data)
    {
    }

    abstract public function run(): array;

    protected function text(string $key, string $default = ''): string
    {
        return (string) ($this->data[$key] ?? $default);
    }

    protected function capture(string|array $command): string
    {
        $process = proc_open($command, [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes);
        $output = stream_get_contents($pipes[1]);
        proc_close($process);
        return $output;
    }
}

class Spectrum extends Command
{
    public function run(): array
    {
        $window = $this->text('window', 'hann');
        return ['out' => $this->capture("bell-fft --window $window /var/bells/last.wav")];
    }
}

class Tune extends Command
{
    public function run(): array
    {
        return ['out' => $this->capture(['bell-tune', '--target=' . $this->text('note'), '/var/bells/last.wav'])];
    }
}

class Alloys extends Command
{
    public function run(): array
    {
        $db = pg_connect('dbname=foundry');
        $result = pg_query_params($db, 'SELECT * FROM alloys WHERE tin > $1', [$this->text('tin', '18')]);
        return pg_fetch_all($result);
    }
}

class Castings extends Command
{
    public function run(): array
    {
        $db = pg_connect('dbname=foundry');
        $church = pg_escape_literal($db, $this->text('church'));
        $order = $this->text('order', 'weight');
        $bells = pg_query($db, "SELECT id, weight FROM bells WHERE church = $church ORDER BY $order");
        $orders = pg_query($db, "SELECT id, due FROM orders WHERE church = $church");
        return ['bells' => pg_fetch_all($bells), 'orders' => pg_fetch_all($orders)];
    }
}

$commands = [
    'spectrum' => Spectrum::class,
    'tune' => Tune::class,
    'alloys' => Alloys::class,
    'castings' => Castings::class,
];

$server = new Server('0.0.0.0', 9502);
$server->on('message', function (Server $server, Frame $frame) use ($commands) {
    $data = json_decode($frame->data, true) ?? [];
    $class = $commands[$data['command'] ?? ''] ?? null;
    $reply = $class === null ? ['error' => 'unknown'] : (new $class($data))->run();
    $server->push($frame->fd, json_encode($reply));
});
$server->start();
