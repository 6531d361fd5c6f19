<?php

final class Diagnostics
{
    private const RECORDS = ['a' => 'A', 'aaaa' => 'AAAA', 'mx' => 'MX', 'txt' => 'TXT'];

    public function ping(string $ip): string
    {
        if (filter_var($ip, FILTER_VALIDATE_IP) === false) {
            throw new InvalidArgumentException('Not an IP address');
        }
        return (string) shell_exec("ping -c 2 -W 1 $ip");
    }

    public function headers(string $url): string
    {
        exec(escapeshellcmd('curl --silent --head --max-time 5 ' . $url), $lines);
        return implode("\n", $lines);
    }

    public function trace(string $host): string
    {
        ob_start();
        passthru('traceroute -m 8 "' . escapeshellarg($host) . '" 2>&1');
        return ob_get_clean();
    }

    public function dns(string $host, string $type): string
    {
        if (!preg_match('/\A[a-z0-9][a-z0-9.-]*\z/i', $host)) {
            throw new InvalidArgumentException('Not a host name');
        }
        $record = self::RECORDS[$type] ?? 'A';
        $process = proc_open(['dig', '+short', $host, $record], [1 => ['pipe', 'w']], $pipes);
        $output = stream_get_contents($pipes[1]);
        proc_close($process);
        return $output;
    }

    public function certificate(string $host, int $port = 443): string
    {
        if (!preg_match('/[a-z0-9.-]+\.[a-z]{2,}/i', $host)) {
            throw new InvalidArgumentException('Not a host name');
        }
        return `openssl s_client -connect {$host}:{$port} </dev/null 2>/dev/null | openssl x509 -noout -dates`;
    }

    public function mailLog(string $address): string
    {
        $handle = popen('grep -i -F -e ' . escapeshellarg($address) . ' /var/log/mail.log', 'r');
        $output = stream_get_contents($handle);
        pclose($handle);
        return $output;
    }
}

$tools = new Diagnostics();
$target = trim($_POST['target'] ?? '');

header('Content-Type: text/plain');
try {
    echo match ($_POST['tool'] ?? '') {
        'ping' => $tools->ping($target),
        'headers' => $tools->headers($target),
        'trace' => $tools->trace($target),
        'dns' => $tools->dns($target, $_POST['record'] ?? 'a'),
        'certificate' => $tools->certificate($target),
        'maillog' => $tools->mailLog($target),
        default => 'Unknown tool',
    };
} catch (InvalidArgumentException $e) {
    http_response_code(422);
    echo $e->getMessage();
}
