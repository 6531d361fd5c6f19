<?php
declare(strict_types=1);

$input = json_decode(file_get_contents('php://input'), true) ?? [];
$tool = $input['tool'] ?? '';

interface Tool
{
    public function run(array $input): string;
}

trait RunsList
{
    protected function spawn(array $command): string
    {
        $process = proc_open($command, [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes);
        $text = stream_get_contents($pipes[1]);
        proc_close($process);
        return $text;
    }
}

class Nmap implements Tool
{
    use RunsList;

    private const SPEED = ['slow' => '-T1', 'normal' => '-T3', 'fast' => '-T4'];

    public function run(array $input): string
    {
        if (isset($input['number'])) {
            $address = long2ip((int) $input['number']);
            return $this->spawn(['nmap', self::SPEED[$input['speed']] ?? '-T3', $address]);
        }
        return $this->spawn(['nmap', '-T3', (string) $input['host']]);
    }
}

class Dig implements Tool
{
    public function run(array $input): string
    {
        $type = trim($input['type'] ?? 'A');
        $handle = popen('dig +short example.org ' . $type, 'r');
        $text = stream_get_contents($handle);
        pclose($handle);
        return $text;
    }
}

class Whois implements Tool
{
    public function run(array $input): string
    {
        $domain = htmlspecialchars($input['domain'] ?? '', ENT_QUOTES);
        return (string) shell_exec("whois -H $domain");
    }
}

class Calendar implements Tool
{
    public function run(array $input): string
    {
        $month = (int) ($input['month'] ?? 1);
        $year = (int) ($input['year'] ?? 2024);
        if (!checkdate($month, 1, $year)) {
            return '';
        }
        return (string) `cal $month $year`;
    }
}

$tools = ['nmap' => new Nmap(), 'dig' => new Dig(), 'whois' => new Whois(), 'cal' => new Calendar()];
if (!isset($tools[$tool])) {
    http_response_code(404);
    exit;
}
header('Content-Type: text/plain');
echo $tools[$tool]->run($input);
