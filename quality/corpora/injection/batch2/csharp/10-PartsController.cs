using System;
using System.Collections.Generic;
using System.Data;
using System.IO;
using Dapper;
using Microsoft.AspNetCore.Mvc;
using Oracle.ManagedDataAccess.Client;

[ApiController]
[Route("[controller]")]
public class PartsController : ControllerBase
{
    private readonly Func<IDbConnection> _open = () => new OracleConnection("Data Source=parts");

    private static readonly Dictionary<string, Func<string, string>> Rules = new()
    {
        ["vendor"] = v => $"vendor = '{v}'",
        ["weight"] = v => "weight > " + double.Parse(v).ToString("R"),
    };

    private T With<T>(Func<IDbConnection, T> work)
    {
        using var db = _open();
        return work(db);
    }

    [HttpGet("vendor")]
    public IEnumerable<dynamic> ByVendor(string vendor)
    {
        var rule = Rules["vendor"];
        return With(db => db.Query("SELECT * FROM part WHERE " + rule(vendor)));
    }

    [HttpGet("weight")]
    public IEnumerable<dynamic> ByWeight(string weight)
    {
        var rule = Rules["weight"];
        return With(db => db.Query("SELECT * FROM part WHERE " + rule(weight)));
    }

    [HttpGet("sheet")]
    public string Sheet(string code)
    {
        string Locate(string c) => "/srv/sheets/" + c + ".txt";
        Func<string, string> read = p => System.IO.File.ReadAllText(p);
        return read(Locate(code));
    }
}
