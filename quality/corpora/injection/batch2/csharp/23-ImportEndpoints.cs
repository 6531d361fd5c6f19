using System;
using System.Data.OleDb;
using System.IO;
using System.Web;

public class UnknownFormatException : Exception
{
    public string Format { get; }

    public UnknownFormatException(string format) : base("format " + format)
    {
        Format = format;
    }
}

public class ImportEndpoints : IHttpHandler
{
    private readonly OleDbConnection _db = new OleDbConnection("Provider=MSOLEDBSQL;Data Source=db;Initial Catalog=imports");

    public bool IsReusable => false;

    private static string Check(string format)
    {
        if (format != "csv" && format != "tsv")
        {
            throw new UnknownFormatException(format);
        }
        return format;
    }

    public void ProcessRequest(HttpContext context)
    {
        _db.Open();
        try
        {
            var format = Check(context.Request.Form["format"]);
            new OleDbCommand("UPDATE import_" + format + " SET started = 1", _db).ExecuteNonQuery();
        }
        catch (UnknownFormatException e)
        {
            new OleDbCommand("INSERT INTO misses(text) VALUES ('" + e.Message + "')", _db).ExecuteNonQuery();
            context.Response.StatusCode = 400;
        }

        string day;
        try
        {
            day = DateTime.Parse(context.Request.Form["day"]).ToString("yyyyMMdd");
        }
        catch (FormatException)
        {
            day = context.Request.Form["day"];
        }
        context.Response.Write(File.ReadAllText(@"D:\imports\" + day + ".txt"));

        int row = 0;
        try
        {
            row = int.Parse(context.Request.Form["row"]);
        }
        catch (FormatException)
        {
        }
        new OleDbCommand("DELETE FROM import_row WHERE n = " + row, _db).ExecuteNonQuery();
    }
}
