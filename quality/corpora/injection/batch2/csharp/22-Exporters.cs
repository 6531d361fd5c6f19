using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Mvc;

namespace Exporting;

public interface IExporter
{
    void Export(string name, string data);
}

public abstract class FileExporter : IExporter
{
    protected virtual string FileName(string name) => name + ".dat";

    public abstract void Export(string name, string data);
}

public class CsvExporter : FileExporter
{
    protected override string FileName(string name) => Regex.Replace(name, "[^A-Za-z0-9]", "_") + ".csv";

    public override void Export(string name, string data)
    {
        File.WriteAllText("/srv/export/" + FileName(name), data);
    }
}

public class DatExporter : FileExporter
{
    public override void Export(string name, string data)
    {
        using var w = new StreamWriter("/srv/export/" + FileName(name));
        w.Write(data);
    }
}

public class PrintExporter : IExporter
{
    public void Export(string name, string data)
    {
        Process.Start("sh", $"-c \"lp -t '{name}' /srv/export/print.txt\"");
    }
}

[Route("export")]
public class ExportController : Controller
{
    private static readonly Dictionary<string, IExporter> All = new()
    {
        ["csv"] = new CsvExporter(),
        ["dat"] = new DatExporter(),
        ["print"] = new PrintExporter(),
    };

    [HttpPost]
    public IActionResult Post(string kind, [FromForm] string name, [FromForm] string data)
    {
        if (!All.TryGetValue(kind, out var exporter)) return NotFound();
        exporter.Export(name, data);
        return Accepted();
    }
}
