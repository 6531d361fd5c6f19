using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using CoreWCF;
using Microsoft.Data.Sqlite;

namespace Ferries.Services;

[ServiceContract(Namespace = "urn:ferries")]
public interface IFerryService
{
    [OperationContract]
    Task<string> Timetable(string season);

    [OperationContract]
    Task<string> Notice(int number);

    [OperationContract]
    Task Remark(string captain, string text);

    [OperationContract]
    Task<int> Sailings(string portPrefix);

    [OperationContract]
    Task<int> Cancelled(string port);
}

public class FerryService : IFerryService
{
    private const string Folder = "/var/ferries";
    private readonly string _connectionString;

    public FerryService(string connectionString)
    {
        _connectionString = connectionString;
    }

    public Task<string> Timetable(string season)
    {
        var file = Path.Combine(Folder, "timetables", season.ToLowerInvariant() + ".csv");
        return File.Exists(file) ? File.ReadAllTextAsync(file) : Task.FromResult("");
    }

    public Task<string> Notice(int number)
    {
        var file = Path.Combine(Folder, "notices", number.ToString("D5") + ".txt");
        return File.ReadAllTextAsync(file);
    }

    public async Task Remark(string captain, string text)
    {
        var letters = new string(captain.Where(char.IsLetterOrDigit).ToArray());
        if (letters.Length == 0)
        {
            throw new ArgumentException("captain");
        }
        await File.AppendAllTextAsync($"{Folder}/remarks/{letters}.log", text + Environment.NewLine);
    }

    public Task<int> Sailings(string portPrefix)
    {
        return Count($"SELECT COUNT(*) FROM sailings WHERE port LIKE '{Escape(portPrefix)}%'");
    }

    public Task<int> Cancelled(string port)
    {
        return Count("SELECT COUNT(*) FROM sailings WHERE cancelled = 1 AND port = $port", ("$port", port));
    }

    private static string Escape(string value)
    {
        return value.Replace("%", "").Replace("_", "").Replace("\"", "\"\"");
    }

    private async Task<int> Count(string sql, params (string Name, object Value)[] values)
    {
        await using var connection = new SqliteConnection(_connectionString);
        await connection.OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        foreach (var (name, value) in values)
        {
            command.Parameters.AddWithValue(name, value);
        }
        return Convert.ToInt32(await command.ExecuteScalarAsync());
    }
}
