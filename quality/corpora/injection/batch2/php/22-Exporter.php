<?php

namespace Acme\Export;

interface Sink
{
    public function write(string $name, string $data): void;
}

trait Named
{
    protected function clean(string $name): string
    {
        return preg_replace('/[^a-z0-9_]+/', '_', strtolower($name));
    }
}

abstract class FileSink implements Sink
{
    protected string $dir = '/srv/export';

    abstract protected function fileName(string $name): string;

    public function write(string $name, string $data): void
    {
        $this->store($this->fileName($name), $data);
    }

    abstract protected function store(string $file, string $data): void;
}

class CsvSink extends FileSink
{
    use Named;

    protected function fileName(string $name): string
    {
        return $this->clean($name) . '.csv';
    }

    protected function store(string $file, string $data): void
    {
        file_put_contents($this->dir . '/' . $file, $data);
    }
}

class XmlSink extends FileSink
{
    protected function fileName(string $name): string
    {
        return trim($name) . '.xml';
    }

    protected function store(string $file, string $data): void
    {
        $fh = fopen($this->dir . '/' . $file, 'wb');
        fwrite($fh, '<data>' . htmlspecialchars($data) . '</data>');
        fclose($fh);
    }
}

$sink = ($_GET['as'] ?? 'csv') === 'csv' ? new CsvSink() : new XmlSink();
$sink->write($_POST['name'], $_POST['data']);
