using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.Sqlite;

namespace Museum.Reporting;

public abstract class ReportExporter
{
    private readonly SqliteConnection _connection;

    protected ReportExporter(SqliteConnection connection) => _connection = connection;

    public string OutputName { get; set; } = "report.txt";

    protected abstract string Condition(IQueryCollection query);

    protected abstract string GroupColumn(IQueryCollection query);

    public List<string> Rows(IQueryCollection query)
    {
        using var command = _connection.CreateCommand();
        command.CommandText = "SELECT title FROM exhibits WHERE " + Condition(query);
        return Read(command);
    }

    public List<string> Groups(IQueryCollection query)
    {
        var sql = $"SELECT {GroupColumn(query)} FROM exhibits GROUP BY 1";
        using var command = new SqliteCommand(sql, _connection);
        return Read(command);
    }

    public void Save(IEnumerable<string> lines)
    {
        File.WriteAllLines("/srv/museum/out/" + OutputName, lines);
    }

    public string SaveSnapshot(IEnumerable<string> lines)
    {
        var name = DateTime.UtcNow.Ticks.ToString();
        var path = Path.Combine("/srv/museum/snapshots", name + ".txt");
        File.WriteAllLines(path, lines);
        return name;
    }

    private static List<string> Read(SqliteCommand command)
    {
        var lines = new List<string>();
        using var reader = command.ExecuteReader();
        while (reader.Read())
            lines.Add(reader.GetValue(0).ToString() ?? "");
        return lines;
    }
}

public class ExhibitExporter(SqliteConnection connection) : ReportExporter(connection)
{
    protected override string Condition(IQueryCollection query) =>
        query.TryGetValue("artist", out var artist) ? "artist = '" + artist + "'" : "1 = 1";

    protected override string GroupColumn(IQueryCollection query) =>
        query["by"].ToString() switch { "year" => "year", "room" => "room", _ => "artist" };
}

[ApiController]
[Route("reports")]
public class ReportsController(ExhibitExporter exporter) : ControllerBase
{
    [HttpGet("rows")]
    public IActionResult Rows() => Ok(exporter.Rows(Request.Query));

    [HttpPost("groups")]
    public IActionResult Groups() => Ok(exporter.SaveSnapshot(exporter.Groups(Request.Query)));

    [HttpPost("save")]
    public IActionResult Save([FromQuery] string name)
    {
        exporter.OutputName = name;
        exporter.Save(exporter.Groups(Request.Query));
        return Accepted();
    }
}
