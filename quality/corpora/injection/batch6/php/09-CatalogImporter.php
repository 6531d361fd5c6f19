<?php

namespace Catalog;

use DOMDocument;
use DOMXPath;
use PDO;
use Psr\Http\Message\ServerRequestInterface;

class CatalogImporter
{
    /** @var PDO */
    private $pdo;

    public function __construct(PDO $pdo)
    {
        $this->pdo = $pdo;
    }

    public function import(ServerRequestInterface $request): int
    {
        $doc = new DOMDocument();
        $doc->loadXML((string) $request->getBody(), LIBXML_NOENT | LIBXML_DTDLOAD);

        $count = 0;
        $insert = $this->pdo->prepare('INSERT INTO items (sku, label) VALUES (?, ?)');
        foreach ($doc->getElementsByTagName('item') as $item) {
            $insert->execute([$item->getAttribute('sku'), $item->textContent]);
            $count++;
        }
        return $count;
    }

    public function remove(ServerRequestInterface $request): int
    {
        $doc = new DOMDocument();
        $doc->loadXML((string) $request->getBody());

        $removed = 0;
        foreach ($doc->getElementsByTagName('item') as $item) {
            $sku = $item->getAttribute('sku');
            $removed += $this->pdo->exec("DELETE FROM items WHERE sku = '{$sku}'");
        }
        return $removed;
    }

    public function price(ServerRequestInterface $request): array
    {
        $doc = new DOMDocument();
        $doc->load('/srv/catalog/prices.xml');
        $xpath = new DOMXPath($doc);

        $query = $request->getQueryParams();
        $shelf = (int) ($query['shelf'] ?? 0);
        $result = [];
        foreach ($xpath->query("//shelf[@id='$shelf']/price") as $node) {
            $result['shelf'][] = $node->nodeValue;
        }

        $name = $query['name'] ?? '';
        foreach ($xpath->query('//item[name="' . $name . '"]/price') as $node) {
            $result['item'][] = $node->nodeValue;
        }
        return $result;
    }
}
