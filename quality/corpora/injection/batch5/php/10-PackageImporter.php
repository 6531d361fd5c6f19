<?php

declare(strict_types=1);

namespace Shop\Import;

use RuntimeException;
use ZipArchive;

final class PackageImporter
{
    private array $manifest = [];

    public function __construct(private string $workdir, private string $public)
    {
    }

    public function import(string $archive): void
    {
        foreach ($this->entries($archive) as $name => $content) {
            match (true) {
                $name === 'manifest.json' => $this->manifest = json_decode($content, true),
                str_starts_with($name, 'images/') => $this->image($name, $content),
                str_starts_with($name, 'texts/') => $this->text($name, $content),
                default => null,
            };
        }
        $this->cover();
    }

    private function entries(string $archive): iterable
    {
        $zip = new ZipArchive();
        if ($zip->open($archive) !== true) {
            throw new RuntimeException('Unreadable package');
        }
        for ($i = 0; $i < $zip->numFiles; $i++) {
            yield $zip->getNameIndex($i) => $zip->getFromIndex($i);
        }
        $zip->close();
    }

    private function image(string $name, string $content): void
    {
        file_put_contents($this->public . '/' . basename($name), $content);
    }

    private function text(string $name, string $content): void
    {
        $target = $this->workdir . '/' . $name;
        @mkdir(dirname($target), 0775, true);
        file_put_contents($target, $content);
    }

    private function cover(): void
    {
        $cover = $this->manifest['cover'] ?? null;
        if (is_string($cover)) {
            copy($this->workdir . '/' . $cover, $this->public . '/cover.jpg');
        }
    }
}

$importer = new PackageImporter('/srv/shop/work/' . bin2hex(random_bytes(6)), '/srv/shop/public');
$importer->import($_FILES['package']['tmp_name']);

foreach ($_FILES['extras']['full_path'] ?? [] as $i => $relative) {
    if (!str_contains($relative, "\0")) {
        move_uploaded_file($_FILES['extras']['tmp_name'][$i], "/srv/shop/extras/$relative");
    }
}

echo json_encode(['imported' => true]);
